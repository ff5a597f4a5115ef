/**
 * Spring Boot auto-configuration for id generators. It binds the properties
 * {@code ids.*}, selects the store, and registers the generators.
 */
@NullMarked
package dev.idspring.autoconfigure;

import org.jspecify.annotations.NullMarked;
