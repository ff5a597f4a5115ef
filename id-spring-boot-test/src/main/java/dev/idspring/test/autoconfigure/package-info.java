/**
 * Auto-configuration for tests. Needs Spring Boot's test support, which nothing else
 * does.
 */
@NullMarked
package dev.idspring.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
