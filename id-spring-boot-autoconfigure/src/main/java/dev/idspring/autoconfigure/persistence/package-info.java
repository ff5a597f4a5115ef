/**
 * Ids for entities of Hibernate, Spring Data JDBC and Spring Data R2DBC, and the text
 * form in which they leave the application. Each of the libraries is optional.
 */
@NullMarked
package dev.idspring.autoconfigure.persistence;

import org.jspecify.annotations.NullMarked;
