/**
 * Watches the keys of tables that others number.
 */
@NullMarked
package dev.idspring.tools.columns;

import org.jspecify.annotations.NullMarked;
