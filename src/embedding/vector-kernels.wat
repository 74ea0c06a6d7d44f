;; Arithmetic on arrays of 32-bit numbers, four at a time. vector-kernels.ts calls it; `npm run generate` compiles it.
;; All addresses are in bytes, and all lengths in bytes are multiples of 16, unless a comment says otherwise.
(module
  (import "" "memory" (memory 1))

  ;; Writes the dot product of a vector with each row of a matrix, one after the other, from $out on.
  ;; $width: the length of a row and of the vector, a multiple of 64. $end: where the matrix ends.
  (func (export "products") (param $vector i32) (param $rows i32) (param $width i32) (param $end i32) (param $out i32)
    (local $at i32) (local $stop i32) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $stop (i32.add (local.get $vector) (local.get $width)))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $at (local.get $vector))
        ;; Four sums, so that the processor need not wait for one addition before it begins the next.
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (loop $part
          (local.set $a (f32x4.add (local.get $a)
            (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $rows)))))
          (local.set $b (f32x4.add (local.get $b)
            (f32x4.mul (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $rows)))))
          (local.set $c (f32x4.add (local.get $c)
            (f32x4.mul (v128.load offset=32 (local.get $at)) (v128.load offset=32 (local.get $rows)))))
          (local.set $d (f32x4.add (local.get $d)
            (f32x4.mul (v128.load offset=48 (local.get $at)) (v128.load offset=48 (local.get $rows)))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
          (br_if $part (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $stop))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b))
          (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row))))

  ;; Adds rows of a matrix to the sums from $sums up to $end, each row times a factor.
  ;; $picks: for each row a factor and the row's address, four bytes each. There are a multiple of four rows.
  (func (export "addRows") (param $sums i32) (param $end i32) (param $picks i32) (param $picksEnd i32)
    (local $at i32) (local $row1 i32) (local $row2 i32) (local $row3 i32) (local $row4 i32)
    (local $factor1 v128) (local $factor2 v128) (local $factor3 v128) (local $factor4 v128)
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $picks) (local.get $picksEnd)))
        (local.set $factor1 (v128.load32_splat (local.get $picks)))
        (local.set $row1 (i32.load offset=4 (local.get $picks)))
        (local.set $factor2 (v128.load32_splat offset=8 (local.get $picks)))
        (local.set $row2 (i32.load offset=12 (local.get $picks)))
        (local.set $factor3 (v128.load32_splat offset=16 (local.get $picks)))
        (local.set $row3 (i32.load offset=20 (local.get $picks)))
        (local.set $factor4 (v128.load32_splat offset=24 (local.get $picks)))
        (local.set $row4 (i32.load offset=28 (local.get $picks)))
        (local.set $picks (i32.add (local.get $picks) (i32.const 32)))
        (local.set $at (local.get $sums))
        (loop $part
          (v128.store (local.get $at)
            (f32x4.add (v128.load (local.get $at))
              (f32x4.add
                (f32x4.add
                  (f32x4.mul (local.get $factor1) (v128.load (local.get $row1)))
                  (f32x4.mul (local.get $factor2) (v128.load (local.get $row2))))
                (f32x4.add
                  (f32x4.mul (local.get $factor3) (v128.load (local.get $row3)))
                  (f32x4.mul (local.get $factor4) (v128.load (local.get $row4)))))))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $row4 (i32.add (local.get $row4) (i32.const 16)))
          (br_if $part (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
        (br $rows))))

  ;; Sums one value of each tree (leaf-masks.ts): that of the highest bit which eight rows of masks have in common.
  ;; $values: for each tree 32 numbers, that of the highest bit first. $end: where the first row of masks ends. There are a
  ;; multiple of four trees, and each has a bit that all rows have.
  (func (export "leafSum")
    (param $row1 i32) (param $end i32) (param $row2 i32) (param $row3 i32) (param $row4 i32) (param $row5 i32)
    (param $row6 i32) (param $row7 i32) (param $row8 i32) (param $values i32) (result f64)
    (local $at i32) (local $left v128) (local $a f64) (local $b f64) (local $c f64) (local $d f64)
    (local.set $end (i32.sub (local.get $end) (local.get $row1)))
    (loop $four
      (local.set $left
        (v128.and
          (v128.and
            (v128.and
              (v128.load (i32.add (local.get $row1) (local.get $at)))
              (v128.load (i32.add (local.get $row2) (local.get $at))))
            (v128.and
              (v128.load (i32.add (local.get $row3) (local.get $at)))
              (v128.load (i32.add (local.get $row4) (local.get $at)))))
          (v128.and
            (v128.and
              (v128.load (i32.add (local.get $row5) (local.get $at)))
              (v128.load (i32.add (local.get $row6) (local.get $at))))
            (v128.and
              (v128.load (i32.add (local.get $row7) (local.get $at)))
              (v128.load (i32.add (local.get $row8) (local.get $at)))))))
      ;; Four sums, so that the processor need not wait for one addition before it begins the next.
      (local.set $a (f64.add (local.get $a) (f64.promote_f32 (f32.load
        (i32.add (local.get $values)
          (i32.shl (i32.clz (i32x4.extract_lane 0 (local.get $left))) (i32.const 2)))))))
      (local.set $b (f64.add (local.get $b) (f64.promote_f32 (f32.load offset=128
        (i32.add (local.get $values)
          (i32.shl (i32.clz (i32x4.extract_lane 1 (local.get $left))) (i32.const 2)))))))
      (local.set $c (f64.add (local.get $c) (f64.promote_f32 (f32.load offset=256
        (i32.add (local.get $values)
          (i32.shl (i32.clz (i32x4.extract_lane 2 (local.get $left))) (i32.const 2)))))))
      (local.set $d (f64.add (local.get $d) (f64.promote_f32 (f32.load offset=384
        (i32.add (local.get $values)
          (i32.shl (i32.clz (i32x4.extract_lane 3 (local.get $left))) (i32.const 2)))))))
      (local.set $values (i32.add (local.get $values) (i32.const 512)))
      (br_if $four (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (f64.add (f64.add (local.get $a) (local.get $b)) (f64.add (local.get $c) (local.get $d))))

  ;; Walks from the root of each tree to a leaf, and sums what the leaves have (ranking-model.ts).
  ;; Every tree is a complete one: node i has the children 2i + 1 and 2i + 2, and a walk takes $steps. $nodes: for each
  ;; inner node where its feature is, in bytes from $features, and the greatest value that goes left, four bytes each.
  ;; $tree: the length of a tree's nodes, a multiple of 8. $end: where the nodes end. $values: for each tree the numbers of its
  ;; leaves, less the room of its inner nodes. $leaves: the length of a tree's leaves. There are a multiple of four trees.
  (func (export "treeSum")
    (param $features i32) (param $nodes i32) (param $end i32) (param $tree i32) (param $steps i32) (param $values i32)
    (param $leaves i32) (result f64)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32) (local $step i32) (local $node i32) (local $sum f64)
    (local $treeA i32) (local $treeB i32) (local $treeC i32) (local $treeD i32)
    ;; A step waits for the one before it, so four trees are walked at a time.
    (loop $four
      (local.set $treeA (local.get $nodes))
      (local.set $treeB (i32.add (local.get $treeA) (local.get $tree)))
      (local.set $treeC (i32.add (local.get $treeB) (local.get $tree)))
      (local.set $treeD (i32.add (local.get $treeC) (local.get $tree)))
      (local.set $nodes (i32.add (local.get $treeD) (local.get $tree)))
      (local.set $a (i32.const 0))
      (local.set $b (i32.const 0))
      (local.set $c (i32.const 0))
      (local.set $d (i32.const 0))
      (local.set $step (local.get $steps))
      (loop $down
        (local.set $node (i32.add (local.get $treeA) (i32.shl (local.get $a) (i32.const 3))))
        (local.set $a (i32.sub
          (i32.add (i32.shl (local.get $a) (i32.const 1)) (i32.const 2))
          (f32.le
            (f32.load (i32.add (local.get $features) (i32.load (local.get $node))))
            (f32.load offset=4 (local.get $node)))))
        (local.set $node (i32.add (local.get $treeB) (i32.shl (local.get $b) (i32.const 3))))
        (local.set $b (i32.sub
          (i32.add (i32.shl (local.get $b) (i32.const 1)) (i32.const 2))
          (f32.le
            (f32.load (i32.add (local.get $features) (i32.load (local.get $node))))
            (f32.load offset=4 (local.get $node)))))
        (local.set $node (i32.add (local.get $treeC) (i32.shl (local.get $c) (i32.const 3))))
        (local.set $c (i32.sub
          (i32.add (i32.shl (local.get $c) (i32.const 1)) (i32.const 2))
          (f32.le
            (f32.load (i32.add (local.get $features) (i32.load (local.get $node))))
            (f32.load offset=4 (local.get $node)))))
        (local.set $node (i32.add (local.get $treeD) (i32.shl (local.get $d) (i32.const 3))))
        (local.set $d (i32.sub
          (i32.add (i32.shl (local.get $d) (i32.const 1)) (i32.const 2))
          (f32.le
            (f32.load (i32.add (local.get $features) (i32.load (local.get $node))))
            (f32.load offset=4 (local.get $node)))))
        (br_if $down (local.tee $step (i32.sub (local.get $step) (i32.const 1)))))
      (local.set $sum (f64.add (local.get $sum) (f64.promote_f32
        (f32.load (i32.add (local.get $values) (i32.shl (local.get $a) (i32.const 2)))))))
      (local.set $values (i32.add (local.get $values) (local.get $leaves)))
      (local.set $sum (f64.add (local.get $sum) (f64.promote_f32
        (f32.load (i32.add (local.get $values) (i32.shl (local.get $b) (i32.const 2)))))))
      (local.set $values (i32.add (local.get $values) (local.get $leaves)))
      (local.set $sum (f64.add (local.get $sum) (f64.promote_f32
        (f32.load (i32.add (local.get $values) (i32.shl (local.get $c) (i32.const 2)))))))
      (local.set $values (i32.add (local.get $values) (local.get $leaves)))
      (local.set $sum (f64.add (local.get $sum) (f64.promote_f32
        (f32.load (i32.add (local.get $values) (i32.shl (local.get $d) (i32.const 2)))))))
      (local.set $values (i32.add (local.get $values) (local.get $leaves)))
      (br_if $four (i32.lt_u (local.get $nodes) (local.get $end))))
    (local.get $sum)))
