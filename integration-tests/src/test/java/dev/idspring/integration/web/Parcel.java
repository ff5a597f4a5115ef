package dev.idspring.integration.web;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * An aggregate whose key is the text form of an id.
 */
@Table("PARCELS")
record Parcel(@Id @GeneratedId("parcels") String id, String address) {

}
