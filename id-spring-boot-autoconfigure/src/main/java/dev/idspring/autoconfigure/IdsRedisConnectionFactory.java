package dev.idspring.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code LettuceConnectionFactory} that connects to the server of the id store,
 * if it is not the application's only or primary connection factory. A server that may
 * evict keys, such as a cache, must not be used. If the bean is declared with
 * {@code @Bean(defaultCandidate = false)}, Spring Boot still creates the connection
 * factory of {@code spring.data.redis} for everything else.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface IdsRedisConnectionFactory {

}
