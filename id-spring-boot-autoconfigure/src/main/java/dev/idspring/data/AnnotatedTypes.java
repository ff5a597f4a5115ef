package dev.idspring.data;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;

import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Tells whether ids are wanted anywhere in an aggregate that no mapping context among the
 * beans knows: by looking, without a context of our own, which would know neither
 * conversions nor names.
 */
final class AnnotatedTypes {

	private final Set<Class<?>> seen = new HashSet<>();

	private AnnotatedTypes() {
	}

	static boolean wantIds(Class<?> type) {
		return new AnnotatedTypes().reach(ResolvableType.forClass(type));
	}

	private boolean reach(ResolvableType type) {
		if (type.isArray()) {
			return reach(type.getComponentType());
		}
		for (ResolvableType argument : type.getGenerics()) {
			if (reach(argument)) {
				return true;
			}
		}
		Class<?> raw = type.toClass();
		if (raw.isPrimitive() || raw.isEnum() || raw.getName().startsWith("java.") || !this.seen.add(raw)) {
			return false;
		}
		for (Class<?> level = raw; level != null && level != Object.class; level = level.getSuperclass()) {
			for (Field field : level.getDeclaredFields()) {
				if (isAnnotated(field)
						|| (!Modifier.isStatic(field.getModifiers()) && reach(ResolvableType.forField(field, type)))) {
					return true;
				}
			}
			for (Method method : level.getDeclaredMethods()) {
				if (isAnnotated(method)) {
					return true;
				}
			}
		}
		return false;
	}

	private static boolean isAnnotated(AnnotatedElement element) {
		return MergedAnnotations.from(element).isPresent(GeneratedId.class);
	}

}
