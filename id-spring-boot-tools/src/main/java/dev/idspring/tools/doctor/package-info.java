/**
 * Examines the keys of tables, no matter what generates them, and reports problems. The
 * examination reads the catalogue and the indexes of the database, and a limited number
 * of strings from key columns. It changes nothing and never scans a whole table.
 */
@NullMarked
package dev.idspring.tools.doctor;

import org.jspecify.annotations.NullMarked;
