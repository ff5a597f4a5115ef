/**
 * Generates functions with which databases create ids themselves, for rows that are
 * inserted with plain SQL. The functions use the layout of a generator. The database and
 * the instances therefore share the epoch and the widths of the fields, but must use
 * different nodes. This package only generates the SQL. The operator runs it.
 */
@NullMarked
package dev.idspring.tools.ddl;

import org.jspecify.annotations.NullMarked;
