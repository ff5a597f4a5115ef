/**
 * Annotations for entities and for the types and parameters that expose their ids, with
 * the generator that Hibernate instantiates for one of them.
 */
@NullMarked
package dev.idspring.annotation;

import org.jspecify.annotations.NullMarked;
