package dev.idspring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if {@code ids.store} names the store of this annotation, in any spelling that
 * Spring Boot can bind. If the property is not set, matches only for the default store,
 * {@link StoreType#JDBC}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(StoreType.OnStore.class)
@interface ConditionalOnStore {

	StoreType value();

}
