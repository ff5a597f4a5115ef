package dev.idspring.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches when {@code ids.store} is set to the store, in any spelling that binds, or when
 * it is unset and the store is the default.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Conditional(StoreType.OnStore.class)
@interface ConditionalOnStore {

	StoreType value();

}
