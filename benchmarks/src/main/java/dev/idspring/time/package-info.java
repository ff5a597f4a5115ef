/**
 * Support for simulations of time-based generators.
 */
@NullMarked
package dev.idspring.time;

import org.jspecify.annotations.NullMarked;
