/**
 * The stores over a {@link javax.sql.DataSource}: statements, dialects, schema scripts
 * and start-up checks.
 */
@NullMarked
package dev.idspring.jdbc;

import org.jspecify.annotations.NullMarked;
