/**
 * Ids for the entities of Hibernate, Spring Data JDBC and Spring Data R2DBC, each of
 * which is optional. Also finds the text form of ids in JSON and in requests.
 */
@NullMarked
package dev.idspring.autoconfigure.persistence;

import org.jspecify.annotations.NullMarked;
