/**
 * Ids for the entities of Hibernate, Spring Data JDBC and Spring Data R2DBC, each of
 * which is optional. Also determines how ids are written in JSON and requests.
 */
@NullMarked
package dev.idspring.autoconfigure.persistence;

import org.jspecify.annotations.NullMarked;
