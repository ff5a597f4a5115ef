/**
 * The stores that use a {@link javax.sql.DataSource}: SQL statements, database dialects,
 * schema scripts and startup checks.
 */
@NullMarked
package dev.idspring.jdbc;

import org.jspecify.annotations.NullMarked;
