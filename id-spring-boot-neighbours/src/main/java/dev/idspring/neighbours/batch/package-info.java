/**
 * Ids for the tables of Spring Batch.
 */
@NullMarked
package dev.idspring.neighbours.batch;

import org.jspecify.annotations.NullMarked;
