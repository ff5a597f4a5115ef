package dev.idspring.integration.jdbc.slice;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/**
 * The only entity of its package.
 */
@Table
public record Note(@Id @GeneratedId Long id, String text) {

}
