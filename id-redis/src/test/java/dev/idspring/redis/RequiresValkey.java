package dev.idspring.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Marks tests that start their own servers. They are skipped if the environment does not
 * provide Valkey, see {@link ValkeyServer}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Tag("valkey")
@EnabledIfEnvironmentVariable(named = ValkeyServer.VARIABLE, matches = ".+")
public @interface RequiresValkey {

}
