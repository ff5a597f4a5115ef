/**
 * Watches the keys of tables that others number.
 */
@NullMarked
package dev.idspring.autoconfigure.columns;

import org.jspecify.annotations.NullMarked;
