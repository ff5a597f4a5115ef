/**
 * Examines the keys of tables, no matter what generates them, and reports problems with
 * the keys. The examination reads the catalogue and the indexes of the database. From key
 * columns that contain strings, it also reads a limited number of values. It changes
 * nothing and never scans a whole table.
 */
@NullMarked
package dev.idspring.tools.doctor;

import org.jspecify.annotations.NullMarked;
