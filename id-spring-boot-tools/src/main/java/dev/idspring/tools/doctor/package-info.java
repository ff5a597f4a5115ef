/**
 * Examines the keys of tables, no matter what generates them, and reports problems with
 * the keys. The examination reads the catalogue and the indexes of the database, and a
 * sample of strings. It changes nothing and scans no table.
 */
@NullMarked
package dev.idspring.tools.doctor;

import org.jspecify.annotations.NullMarked;
