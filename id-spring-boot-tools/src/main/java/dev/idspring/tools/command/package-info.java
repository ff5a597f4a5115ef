/**
 * Commands for operators, run by {@code --ids.command} instead of the application.
 */
@NullMarked
package dev.idspring.tools.command;

import org.jspecify.annotations.NullMarked;
