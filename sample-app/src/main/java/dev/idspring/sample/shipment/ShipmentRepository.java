package dev.idspring.sample.shipment;

import java.util.Optional;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/**
 * The table of shipments.
 */
@Repository
class ShipmentRepository {

	private final JdbcTemplate jdbc;

	ShipmentRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	void insert(long id, long order) {
		this.jdbc.update("insert into shipment (shipment_id, order_id) values (?, ?)", id, order);
	}

	Optional<Long> findOrder(long id) {
		return this.jdbc.queryForList("select order_id from shipment where shipment_id = ?", Long.class, id)
			.stream()
			.findFirst();
	}

}
