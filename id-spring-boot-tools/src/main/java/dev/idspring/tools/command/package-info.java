/**
 * Commands for operators. The argument {@code --ids.command} runs one of them instead of
 * the application.
 */
@NullMarked
package dev.idspring.tools.command;

import org.jspecify.annotations.NullMarked;
