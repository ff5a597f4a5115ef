package dev.idspring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an id whose text form is used outside the application. In JSON, the id is a
 * string, because JavaScript rounds numbers beyond 2<sup>53</sup>. The path, the
 * parameters and the headers of requests contain the same string. The application rejects
 * any input that cannot be the text form of an id of the generator, including a JSON
 * number.
 * <p>
 * The annotation can be placed on
 * <ul>
 * <li>a property in JSON: a field, a record component, a getter, a setter, or a parameter
 * of a property-based Jackson creator</li>
 * <li>a parameter of a handler method, or of a method with {@code @HttpExchange}:
 * {@code @PathVariable @IdAsString long id}</li>
 * <li>a record with one component, to convert all values of that type:
 * {@code @IdAsString("orders") record OrderId(long value) {}}</li>
 * </ul>
 * The supported types are {@code long}, {@code Long}, a {@code String} that holds the
 * text form, a {@code UUID} that a generator created, and a record with one such
 * component. Collections and arrays of these types, and {@code Optional}, are supported,
 * too. In JSON, a map is also supported if either its keys or its values are
 * {@code Long}, but not both: the {@code Long}s are the ids. Other types are rejected:
 * parameters at startup, and properties in JSON when they are first used.
 *
 * @since 0.1.0
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface IdAsString {

	/**
	 * Return the name of the generator that issues the ids. If the name is empty, it is
	 * taken from a {@link GeneratedId @GeneratedId} on the same property. Without that
	 * annotation, the generator is {@code default}.
	 * @return a name under {@code ids.generators}, or empty
	 */
	String value() default "";

}
