package dev.idspring.integration.web;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * Keeps the text form.
 */
@Table("PARCELS")
record Parcel(@Id @GeneratedId("parcels") String id, String address) {

}
