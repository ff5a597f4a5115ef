/**
 * Watches the key columns of the tables in the application's schema.
 */
@NullMarked
package dev.idspring.tools.columns;

import org.jspecify.annotations.NullMarked;
