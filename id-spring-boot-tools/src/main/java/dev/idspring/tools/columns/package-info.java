/**
 * Watches the keys of tables that other code numbers.
 */
@NullMarked
package dev.idspring.tools.columns;

import org.jspecify.annotations.NullMarked;
