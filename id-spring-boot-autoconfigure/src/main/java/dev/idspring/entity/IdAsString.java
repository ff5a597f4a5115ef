package dev.idspring.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An id that leaves and enters the application in its text form: as a string in JSON,
 * where numbers beyond 2<sup>53</sup> lose their last digits in JavaScript, and as the
 * same text in the path, the parameters and the headers of requests. What is no id of the
 * generator is refused, a JSON number as well.
 * <p>
 * It stands on
 * <ul>
 * <li>a property for JSON: a field, a record's component, a getter, a setter or a
 * parameter of a creator that takes properties</li>
 * <li>a parameter of a handler method: {@code @PathVariable @IdAsString long id}</li>
 * <li>a type of one value, whose instances are ids everywhere:
 * {@code @IdAsString("orders") record OrderId(long value) {}}</li>
 * </ul>
 * The type is {@code long}, {@code Long}, a {@code String} that holds the text form, a
 * type of one such value, or a collection, an array or an {@code Optional} of these. Of a
 * map either the keys or the values are {@code Long}, and these are the ids. Another type
 * is refused when it is first met.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdAsString {

	/**
	 * The name of the generator whose ids these are. Without a name it is {@code default}
	 * or, beside {@code @GeneratedId}, the generator that one draws from.
	 * @return {@code default}, or a name under {@code ids.generators}
	 */
	String value() default "";

}
