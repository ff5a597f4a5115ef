/**
 * Ids for JPA entities: Hibernate asks the application's id generators for the values of
 * annotated properties.
 */
@NullMarked
package dev.idspring.hibernate;

import org.jspecify.annotations.NullMarked;
