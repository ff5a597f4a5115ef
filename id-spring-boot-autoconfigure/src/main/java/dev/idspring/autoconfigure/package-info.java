/**
 * Spring Boot auto-configuration: binds {@code ids.*}, chooses the store, and registers
 * the generators.
 */
@NullMarked
package dev.idspring.autoconfigure;

import org.jspecify.annotations.NullMarked;
