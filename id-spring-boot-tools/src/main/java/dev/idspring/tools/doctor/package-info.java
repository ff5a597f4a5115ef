/**
 * The contents of a database's catalogue about the keys of its tables, whatever generates
 * them, and the problems with them. Reads only, and never scans a table.
 */
@NullMarked
package dev.idspring.tools.doctor;

import org.jspecify.annotations.NullMarked;
