/**
 * What a database's catalogue tells about the keys of its tables, whatever generates
 * them, and what is wrong with them. Reads only, and never scans a table.
 */
@NullMarked
package dev.idspring.tools.doctor;

import org.jspecify.annotations.NullMarked;
