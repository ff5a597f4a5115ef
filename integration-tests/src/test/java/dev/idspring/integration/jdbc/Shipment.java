package dev.idspring.integration.jdbc;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Embedded;

/**
 * A mutable aggregate with children of all kinds.
 */
class Shipment {

	@Id
	@GeneratedId
	long id;

	@Version
	Integer version;

	Address address;

	Set<Parcel> parcels = new LinkedHashSet<>();

	Map<String, Contact> contacts = new LinkedHashMap<>();

	@Embedded.Nullable
	Tracking tracking;

	static class Address {

		@Id
		@GeneratedId
		Long id;

		final String city;

		Address(String city) {
			this.city = city;
		}

	}

	record Parcel(@Id @GeneratedId Long id, int grams, List<Label> labels) {

	}

	record Label(@Id @GeneratedId("codes") String id, String text) {

	}

	record Contact(@Id @GeneratedId Long id, String name) {

	}

	record Tracking(@GeneratedId("codes") String tracking) {

	}

}
