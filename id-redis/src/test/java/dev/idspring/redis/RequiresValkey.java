package dev.idspring.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Marks tests that start servers of their own, where there is one to start: see
 * {@link ValkeyServer}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("valkey")
@EnabledIfEnvironmentVariable(named = ValkeyServer.VARIABLE, matches = ".+")
public @interface RequiresValkey {

}
