/**
 * Ids of the records that jOOQ inserts.
 */
@NullMarked
package dev.idspring.autoconfigure.jooq;

import org.jspecify.annotations.NullMarked;
