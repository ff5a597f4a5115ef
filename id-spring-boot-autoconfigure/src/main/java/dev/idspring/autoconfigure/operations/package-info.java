/**
 * Commands for operators, run by {@code --ids.command} instead of the application.
 */
@NullMarked
package dev.idspring.autoconfigure.operations;

import org.jspecify.annotations.NullMarked;
