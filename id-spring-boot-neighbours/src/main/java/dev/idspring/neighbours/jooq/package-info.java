/**
 * Ids for the records that jOOQ inserts.
 */
@NullMarked
package dev.idspring.neighbours.jooq;

import org.jspecify.annotations.NullMarked;
