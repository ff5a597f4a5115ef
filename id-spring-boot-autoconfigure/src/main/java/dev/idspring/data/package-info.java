/**
 * Ids for entities of Spring Data JDBC and Spring Data R2DBC: a property that is marked
 * with {@link dev.idspring.data.GeneratedId} gets its value when an aggregate is saved,
 * before anything is written. Each of the two libraries is optional for itself.
 */
@NullMarked
package dev.idspring.data;

import org.jspecify.annotations.NullMarked;
