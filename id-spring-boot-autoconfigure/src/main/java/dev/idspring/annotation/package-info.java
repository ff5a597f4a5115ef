/**
 * The annotations of entities and of what shows their ids, with the generator that
 * Hibernate instantiates for one of them.
 */
@NullMarked
package dev.idspring.annotation;

import org.jspecify.annotations.NullMarked;
