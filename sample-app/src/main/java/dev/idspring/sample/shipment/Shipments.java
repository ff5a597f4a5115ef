package dev.idspring.sample.shipment;

import java.util.Optional;

import dev.idspring.IdGenerator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;

/**
 * Ships orders in one or more parcels. The number on a parcel is the text form of an id,
 * and contains the time of packing in readable digits. The database contains the numeric
 * form of the id.
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
	 * @return the shipment, or empty if there is no such order
	 * @throws IllegalArgumentException if the string is not an id
	 */
	Optional<Shipment> ship(String order) {
		long orderId = this.orderIds.parse(order);
		long id = this.ids.nextLong();
		try {
			this.repository.insert(id, orderId);
			return Optional.of(shipment(id, orderId));
		}
		catch (DataIntegrityViolationException ex) {
			// ids are unique, so the cause must be a missing order
			return Optional.empty();
		}
	}

	/**
	 * Find a shipment.
	 * @throws IllegalArgumentException if the string cannot be the number on a parcel
	 */
	Optional<Shipment> find(String number) {
		long id = this.ids.parse(number);
		return this.repository.findOrder(id).map((order) -> shipment(id, order));
	}

	private Shipment shipment(long id, long order) {
		return new Shipment(this.ids.format(id), this.ids.describe(id).time(), this.orderIds.format(order));
	}

}
