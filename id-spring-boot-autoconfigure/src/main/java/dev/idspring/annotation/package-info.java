/**
 * Annotations for the ids of entities, and for ids in JSON and in requests. The package
 * also contains the generator that Hibernate instantiates for
 * {@link dev.idspring.annotation.GeneratedId @GeneratedId}.
 */
@NullMarked
package dev.idspring.annotation;

import org.jspecify.annotations.NullMarked;
