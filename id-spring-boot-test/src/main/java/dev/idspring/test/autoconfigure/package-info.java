/**
 * Auto-configuration for tests. Only this package requires Spring Boot's test support.
 */
@NullMarked
package dev.idspring.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
