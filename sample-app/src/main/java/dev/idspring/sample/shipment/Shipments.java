package dev.idspring.sample.shipment;

import java.util.Optional;

import dev.idspring.IdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;

/**
 * Ships orders, in as many parcels as it takes. What is stored is the number of a parcel
 * in its numeric form; people see its text, which has the time of packing in plain
 * digits.
 */
@Service
class Shipments {

	private final IdGenerator ids;

	private final IdGenerator orderIds;

	private final ShipmentRepository repository;

	Shipments(@Qualifier("shipments") IdGenerator ids, @Qualifier("orders") IdGenerator orderIds,
			ShipmentRepository repository) {
		this.ids = ids;
		this.orderIds = orderIds;
		this.repository = repository;
	}

	/**
	 * Ship a parcel.
	 * @param order the id of the order
	 * @return the shipment, or nothing if there is no such order
	 * @throws IllegalArgumentException if the text is no id
	 */
	Optional<Shipment> ship(String order) {
		long orderId = this.orderIds.parse(order);
		long id = this.ids.nextLong();
		try {
			this.repository.insert(id, orderId);
			return Optional.of(shipment(id, orderId));
		}
		catch (DataIntegrityViolationException ex) {
			// ids do not repeat, so it is the order that is missing
			return Optional.empty();
		}
	}

	/**
	 * Find a shipment.
	 * @throws IllegalArgumentException if the text is no number of a parcel
	 */
	Optional<Shipment> find(String number) {
		long id = this.ids.parse(number);
		return this.repository.findOrder(id).map((order) -> shipment(id, order));
	}

	private Shipment shipment(long id, long order) {
		return new Shipment(this.ids.format(id), this.ids.describe(id).time(), this.orderIds.format(order));
	}

}
