/**
 * Health of the generators.
 */
@NullMarked
package dev.idspring.health;

import org.jspecify.annotations.NullMarked;
