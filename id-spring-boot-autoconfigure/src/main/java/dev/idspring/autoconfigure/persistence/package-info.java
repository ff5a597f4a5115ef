/**
 * Ids for entities of Hibernate, Spring Data JDBC and Spring Data R2DBC, and the text
 * form of ids in JSON and requests. Each of these libraries is optional.
 */
@NullMarked
package dev.idspring.autoconfigure.persistence;

import org.jspecify.annotations.NullMarked;
