/**
 * Watches the key columns of all tables in the application's schema: the used share of
 * their numbers, the rate of use, and problems.
 */
@NullMarked
package dev.idspring.tools.columns;

import org.jspecify.annotations.NullMarked;
