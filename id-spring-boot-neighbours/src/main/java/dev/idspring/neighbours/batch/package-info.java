/**
 * Ids for the Spring Batch tables.
 */
@NullMarked
package dev.idspring.neighbours.batch;

import org.jspecify.annotations.NullMarked;
