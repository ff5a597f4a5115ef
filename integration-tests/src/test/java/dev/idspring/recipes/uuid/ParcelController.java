package dev.idspring.recipes.uuid;

import java.util.UUID;

import dev.idspring.annotation.IdAsString;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ParcelController {

	private final Parcels parcels;

	ParcelController(Parcels parcels) {
		this.parcels = parcels;
	}

	@GetMapping("/parcels/{id}") // /parcels/000001
	ResponseEntity<CustomerView> forCustomers(@PathVariable @IdAsString("parcels") UUID id) {
		return ResponseEntity
			.of(this.parcels.findById(id).map((parcel) -> new CustomerView(parcel.id, parcel.address)));
	}

	@GetMapping("/partners/parcels/{id}") // /partners/parcels/00000000-0000-8000-…
	ResponseEntity<PartnerView> forPartners(@PathVariable UUID id) {
		return ResponseEntity.of(this.parcels.findById(id).map((parcel) -> new PartnerView(parcel.id, parcel.address)));
	}

	record CustomerView(@IdAsString("parcels") UUID id, String address) {
	}

	record PartnerView(UUID id, String address) {
	}

}
