/**
 * The stores over a {@link javax.sql.DataSource}: statements, dialects, schema scripts
 * and start-up checks, and the column that bears witness of ids which the stores forgot.
 */
@NullMarked
package dev.idspring.jdbc;

import org.jspecify.annotations.NullMarked;
