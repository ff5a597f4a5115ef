package dev.idspring.neighbours.mybatisplus;

import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import org.apache.ibatis.annotations.Mapper;

@Mapper
public interface Orders extends BaseMapper<Order> {

}
