/**
 * Ids of the tables of Spring Batch.
 */
@NullMarked
package dev.idspring.autoconfigure.batch;

import org.jspecify.annotations.NullMarked;
